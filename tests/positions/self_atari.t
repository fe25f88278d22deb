# Self-atari: which is bad, and what is better.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then a
# line for each thing that must hold:
#   play b C3                     is played
#   bad b C3 / fine b C3          a self-atari that helps nothing, or not
#   very-bad b C3 / bearable b C3     the same of three stones and more, or not
#   snaps b C3 / snaps-not b C3   a lone stone there is taken back with more, or not
#   instead b C3 D4 E5            all moves that are played instead, or none

# --- stones alone ---------------------------------------------------------------

% two liberties in the open, at the edge and in the corner
. . . . .
. . . . .
. . X . .
. . . . .
. . . . .
fine w C4
fine w A3
fine w A5
bearable w A5

% one liberty at the edge, for one colour and the other
. . . . .
. . . . .
. . . . .
. O . . .
O . . . .
bad b B1
fine w B1
bearable b B1

% one liberty in the corner
. . . . .
. . . . .
. . . . .
. . . . .
. O . . .
bad b A1
fine w A1

% one liberty in the middle
. . . . . . .
. . . . . . .
. . O . . . .
. O . O . . .
. . . . . . .
. . . . . . .
. . . . . . .
bad b C4
fine w C4

% no liberty, and nothing is taken
. . . . .
. . O . .
. O . O .
. . O . .
. . . . .
bad b C3
very-bad b C3

% no liberty, but a stone is taken: a ko
. . . . .
. O X . .
O . O X .
. O X . .
. . . . .
fine b B3
fine w B3

% two stones are taken
. . . . . .
. O X X . .
O . O O X .
. O X X . .
. . . . . .
. . . . . .
fine b B4

% a stone is taken, and two are taken back: no loss worth a word
. . . . . .
. O O X . .
O X . O X .
. O O X . .
. . . . . .
. . . . . .
fine b C4
bearable b C4

% a stone is taken, and four are taken back
. . . . . .
O O O O X .
X X X . O X
O O O O X .
. . . . . .
. . . . . .
bad b D4
very-bad b D4

% a stone is taken with a liberty to spare
. . . . . .
. O . X . .
O X . O X .
. O O X . .
. . . . . .
. . . . . .
fine b C4

# --- large chains ---------------------------------------------------------------

% five stones keep one liberty
. . . . . . .
. . . . . . .
. . . . . . .
O O O O . . .
X X X X O . .
. O O . O . .
O . . O . . .
bad b D2
very-bad b D2
bad b A2
very-bad b A2
instead b D2 none
fine w D2

% the same with a liberty more
. . . . . . .
. . . . . . .
. . . . . . .
O O O O . . .
X X X X O . .
. O O . O . .
. . . . . . .
fine b D2
fine b A2

% a chain in atari runs out of room
. . . . . . .
. . . . . . .
. . . . . . .
O O O O . . .
X X X . O . .
O O O . O . .
. . . O . . .
bad b D3
very-bad b D3

% a stone that joins a chain with liberties to spare
. . . . .
. . X . .
. O X O .
. O . O .
. . O . .
fine b C2
bearable b C2

# --- connecting out -------------------------------------------------------------

% two chains with a liberty each
. . . . . . .
. O O O O O .
O X X . X X O
. O . O . O .
. . . . . . .
. . . . . . .
. . . . . . .
fine b D5
bearable b D5

% two chains, and only one has a liberty
. . . . . . .
. O O O O O .
O X X . X X O
. O . O O O .
. . . . . . .
. . . . . . .
. . . . . . .
bad b D5
very-bad b D5

% two chains, neither has a liberty
. . . . . . .
. O O O O O .
O X X . X X O
. O O O O O .
. . . . . . .
. . . . . . .
. . . . . . .
bad b D5
very-bad b D5

% two chains that share what is left
. . . . . . .
. . O O O . .
. O X . X O .
. O X . X O .
. . O O O . .
. . . . . . .
. . . . . . .
bad b D5
bad b D4
very-bad b D4
fine w D4

% the liberty of the chain, and that of the stone
. . . . .
. O O . .
O X X . .
. O . O .
. . . . .
fine b C2
fine b D3

% the liberty of the stone is that of the chain
. . . . . .
. . . . . .
O O O O O .
X X X X O .
O O . . O .
O O O O O .
bad b C2
bad b D2
very-bad b C2
fine w C2

% three chains around a point, one of them is strong
. . . . . . .
. . O X . . .
. O X . X . .
. . O X O . .
. . . O . . .
. . . . . . .
. . . . . . .
fine b D5

% a chain in atari brings nothing, the stone has a liberty
. . . . .
. . . . .
O O . . .
X . O . .
O O . . .
bad b B2

# --- three liberties that become two --------------------------------------------

% three in a row in the own eye: filled at the end, and in the middle
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
O O O O . . .
X X X O . . .
. . . O . . .
bad b A1
bad b C1
bearable b A1
fine b B1

% the same, but the wall is short of liberties
. . . . . . .
. . . . . . .
. . . . . . .
X X X X X . .
O O O O X . .
X X X O X . .
. . . O . . .
fine b C1
bad b A1

% three dead ends
. . O O O . .
. . O . O . .
. O O X O O .
. O . X . O .
. . O O O . .
. . . . . . .
. . . . . . .
bad b D6
bad b C4
bad b E4
bearable b D6

% the enemy at the end may be in a fight
. . . O . . .
. . O . O . .
. O O X O O .
. O . X . O .
. . O O O . .
. . . . . . .
. . . . . . .
fine b D6
bad b C4

% both other ends are open
. . O O O . .
. . O . O . .
. . O X O . .
. . . X . . .
. . . O . . .
. . . . . . .
. . . . . . .
fine b D6

% one of the other ends is open
. . O O O . .
. . O . O . .
. . O X O O .
. . . X . O .
. . . O O . .
. . . . . . .
. . . . . . .
bad b D6

% both other ends go on for a step only
. . O O O . .
. . O . O . .
. . O X O . .
. . . X . . .
. . O O O . .
. . . . . . .
. . . . . . .
bad b D6

% friends at both other ends
. . O O O . .
. . O . O . .
. . O X O . .
. X . X . X .
. . O O O . .
. . . . . . .
. . . . . . .
fine b D6

% friends in atari at both other ends
. . O O O . .
. . O . O . .
. O O X O O .
O X . X . X O
. O O O O O .
. . . . . . .
. . . . . . .
bad b D6

% it gains a liberty
. . . . . . .
. . O . O . .
. O O X O O .
. O . X . O .
. . O O O . .
. . . . . . .
. . . . . . .
fine b D6

% it joins a friend
. . O O O . .
. X . . O . .
. . O X O O .
. O . X . O .
. . O O O . .
. . . . . . .
. . . . . . .
fine b D6

% another end is an eye
. . . . . . .
O O O O O . .
X X X X O . .
X . X . O . .
X X . O O . .
O O O . . . .
. . . . . . .
fine b D4
fine b C3

% the same eye is false
. . . . . . .
O O O O O . .
O X X X O . .
X . X . O . .
O X X O O . .
O O . O . . .
. . O . . . .
bad b D4

% four liberties are enough
. . . O . . .
. . O . O . .
. O O X O O .
. O . X . O .
. . O . O . .
. . . O . . .
. . . . . . .
fine b D6
fine b C4

# --- snapback -------------------------------------------------------------------

% in the corner, from either side
. . . . .
. . . . .
X X X X .
O O O X .
. . O X .
fine b A1
snaps b A1
fine b B1
snaps b B1

% the captor has one more liberty
. . . . .
. . . . .
X X X X .
O O O X .
. . O . .
snaps-not b A1
snaps-not b B1

% along the edge
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. X X X X . .
X O O O O X .
X O . . O X .
snaps b C1
snaps b D1
fine b C1

% the captor takes something else as well
. . . . . . .
. . . . . . .
. . . . . . .
. X X X . . .
X O O O X . .
X O . . X . .
X O O O X . .
snaps b C2
snaps-not b D2

% the same with a stone of the captor's prey
. . . . . . .
. . . . . . .
. X X X . . .
X O O O O . .
X O . . X O .
X O O O O . .
. X X X . . .
snaps-not b C3

% who takes has a friend with liberties beside
. . . . . . .
. . . . . . .
. . . . . . .
. X X X X . .
X O O O . . .
X O . . O O .
X O O O . . .
snaps-not b C2
snaps-not b D2

% with own stones beside it is no lone stone
. . . . .
. . . . .
X X X X .
O O X . .
. . O X .
snaps-not b B1

% in the middle
. . . . . . .
. . X X X . .
. X O O O X .
. X O . . O X
. X O O O X .
. . X X X . .
. . . . . . .
snaps b D4
fine b D4
snaps-not b E4
fine b E4

% a stone that takes needs no snapback
. . . . .
. . . . .
X X X X .
O . O X .
. X O X .
snaps-not b A1

% an eye of three is none
. . . . . .
. . . . . .
X X X X X .
O O O O X .
. . . O X .
snaps-not b A1
snaps-not b B1

# --- throw-in -------------------------------------------------------------------

% into what becomes a false eye at the edge
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . X X X . .
. X O O O . .
. O . . O . .
fine b C1
bad b D1

% not into a true one
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. X X X X . .
. O O O O . .
. O . . O . .
bad b C1
bad b D1

% an escape is no eye
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . X . . . .
. X O . O . .
. O . . O . .
bad b C1

% never into the corner
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
O X O O . . .
. . . O . . .
bad b A1

% the second stone beside the first
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . X X X . .
. X O O O O .
. O . X . O .
fine b C1
bad b E1

% in the middle
. . . . . . .
. . . . . . .
. . X O O . .
. . O . . . .
. . X O O . .
. . . . . . .
. . . . . . .
fine b D4

% in the middle with one corner
. . . . . . .
. . . . . . .
. . X O O . .
. . O . . . .
. . O O O . .
. . . . . . .
. . . . . . .
bad b D4

% in the middle with a gap in the wall
. . . . . . .
. . . . . . .
. . X O . . .
. . O . . . .
. . X O O . .
. . . . . . .
. . . . . . .
bad b D4

# --- filling eyes ---------------------------------------------------------------

% two of three points, and white is in atari
. . . . . . .
. . . . . . .
X X X X X . .
O O O O X . .
. X . O X . .
O O O O X . .
X X X X X . .
fine b A3
fine b C3
bearable b A3

% three of four in a row
. . . . . . .
. . . . . . .
X X X X X X .
O O O O O X .
. X X . O X .
O O O O O X .
X X X X X X .
fine b A3
fine b D3

% four of five in a row live when they are taken
. . . . . . .
. . . . . . .
X X X X X X X
O O O O O O X
. X X X . O X
O O O O O O X
X X X X X X X
bad b A3
bad b E3
very-bad b A3

% four of five that are dead when they are taken
. . . . . . .
X X X X X . .
O O O O X . .
. . X O X . .
X X X O X . .
O O O O X . .
X X X X X . .
fine b B4
bad b A4

% one more makes four of five in a cross
X X X X X X .
O O O O O X .
O O . O O X .
O . X X O X .
O O X O O X .
X O O O X X .
X X X X X . .
fine b B4
fine b C5
bearable b C5

% one more makes four that are bent, and live when they are taken
X X X X X X .
O O O O O X .
O O . O O X .
O . X X O X .
O O O X O X .
X X O O O X .
. X X X X X .
bad b B4
bad b C5
very-bad b C5

% one more makes a bulky five
X X X X X X .
O O O O O X .
O O . O O X .
O . X X O X .
O O X X O X .
X O O O O X .
X X X X X X .
fine b B4
fine b C5
bearable b C5

% a square of four
X X X X . . .
O O O X . . .
. X O X . . .
. X O X . . .
X O O X . . .
O O X X . . .
X X X . . . .
fine b A5

% seven stones are too many
X X X X X . .
O O O O O X .
. X X X O X .
X X X . O X .
O O O O O X .
X X X X X X .
. . . . . . .
bad b A5
very-bad b A5
bad b D4

% the enemy has many liberties outside: a stone more does nothing
. . . . . . .
. . . . . . .
. . . . . . .
O O O O . . .
. X . O . . .
O O O O . . .
. . . . . . .
bad b A3
bad b C3
bearable b A3

% the enemy has two liberties outside
. . . . . . .
. . . . . . .
X X X X X . .
O O O O X . .
. X . O X . .
O O O O . . .
X X X . X . .
fine b A3
fine b C3

% the fight goes on outside
. . . . . . .
. . . . . . .
X X X X X . .
O O O O X . .
. X . . . . .
O O O O X . .
X X X X X . .
bad b A3
fine b C3

# --- seki -----------------------------------------------------------------------

% four stones and two common liberties: who fills dies
. . . . . . .
X X X X X X .
O O O O O X .
. X X X . O X
O O O X O O X
X X O O O X .
. . X X X . .
bad b A4
bad b E4
bad w A4

% a stone in the only eye: white must not fill, black may
. X . O O X
O O O O X X
X X X X X .
. . . . . .
. . . . . .
. . . . . .
bad w A6
bad w C6
very-bad w C6
fine b A6
fine b C6

% the same with the second chain short of liberties
. . . . . . .
X X X X X X .
O O O O O X .
. X X . O X .
O O O O X . .
X X X X X . .
. . . . . . .
fine b A4
fine b D4

# --- what is better -------------------------------------------------------------

% the chain beside it is attacked from outside
. . . . . .
. . . . . .
. . . . . .
X X X . . .
O O . . . .
. O X . . .
bad b A1
instead b A1 C2

% three chains, each from its other side
. . . . . . .
. . . . . . .
. X X . X X .
. O O . O O .
. X X O X X .
. . . . . . .
. . . . . . .
bad b D4
instead b D4 A4 D2 G4

% a false eye is connected first
. . . . . .
. . . . . .
. . . . . .
. . . . X .
O O O O X .
O . X . X .
bad b B1
instead b B1 D1

% the chain is in atari already: nothing to connect
. . . . . .
. . . . . .
. . . . . .
. . . . . .
O O O O . .
O . X O . .
instead b B1 none

% nothing around it is free
X X X . . .
. X O O O .
X X O . O .
O O O O O .
. . . . . .
. . . . . .
instead b D4 none

% the other liberty would be a self-atari as well
. . . . . .
. . . . . .
. . . . . .
O O O . . .
X X X O . .
. O . O . .
instead b A1 none

% never into an own eye
. . . . .
. . . . .
O O O . .
X X O O .
. X . O .
bad b C1
instead b C1 none

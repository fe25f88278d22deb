# Chains in atari, and what a move would leave of liberties.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then a
# line for each thing that must hold:
#   takes C3 / spares C3          the enemy takes the chain there and keeps what he takes it
#                                 with, or he may not or is taken back with more
#   snapback C3 / plain C3        taking the stone there is answered by taking back more, or not
#   counters C3 A1 B2             the moves that take a chain beside the one there; none: no move
#   after b C3 1                  liberties that black has after a move, 2 for more
#   self-atari b C3 / fine b C3   one liberty at most, or more

% one stone in the open is taken and that is all
. . . . .
. . O . .
. O X O .
. . . . .
. . . . .
takes C3
plain C3
counters C3
after w C2 2
fine w C2

% in a ko one stone takes one: nothing more is taken back
. . . . .
. X O . .
X . X O .
. X O . .
. . . . .
takes C3
plain C3
after w B3 1
self-atari w B3

% a snapback: what takes the stone in the corner has no liberty but its place
. . . . .
. . . . .
X X X . .
O O X . .
. X O . .
snapback B1
spares B1
after w A1 1
takes A2
plain A2

% the smallest snapback
. . . . .
O O O . .
X X O . .
O X O . .
. X O . .
snapback A2
spares A2
after b A1 1
self-atari b A1
counters A3

% no snapback: what takes has another liberty
. . . . .
O O O . .
X X O . .
O X O . .
. X . . .
plain A2
takes A2
after b A1 2
counters A3 A1

% no snapback: two stones are taken, and there is room
. . . . .
X O O . .
O X O . .
O X O . .
. X O . .
plain A3
takes A3
after b A1 2
counters B1 A1

% two chains taken at once leave two liberties
. O O . .
O O O . .
X X O O .
O X X O .
. O X . .
plain A2
takes A2
after b A1 2
fine b A1

% what must not be played does not take
. O X . .
O O X . .
X X X . .
. . . . .
. . . . .
takes B5
plain B5
after w A5 0
after b A5 2

% a counter-capture
. . . . . .
. X X . . .
X O O . . .
X O X O . .
. X . . . .
. . . . . .
counters C3 D4
counters B4 C2

% counter-captures on both sides
. . . . . . .
. . . . . . .
. X O O X . .
. O X X O . .
. X O . X . .
. . . . . . .
. . . . . . .
counters C4 A4 F4
counters B4 D3
counters E4 D3
counters C5 D3

% two chains that touch the same prisoner, one move each
. . . . .
. X X . .
. X O X .
. . . . .
. . . . .
counters B4 C2
counters D3 C2

% nothing to take
. . . . .
. O O . .
. O X O .
. O X O .
. . . . .
counters C3

% liberties: beside the stone, and those of the chains that it joins
. . . . .
. X . X .
. . O . .
. O . O .
. . O . .
after b C4 2
after w C2 2
after b C2 0
self-atari b C2
fine b C4

% joining two chains that have no liberty but that point
O O O O .
X X . X O
O O . O O
. O O O .
. . . . .
after b C4 1
self-atari b C4
after b C3 1
self-atari b C3
after w C4 2

% who takes four stones has room
. X O . .
X X O . .
X O O O .
O O . . .
. . . . .
after w A5 2
fine w A5
after b A5 0
self-atari b A5

% filling an own eye leaves the other
. . . . .
O O O . .
X X X O .
. X . O .
X X X O .
after b A2 1
after b C2 1
self-atari b C2
after w A2 0
after w C2 2

% a shared liberty counts once
. . . . .
. O O O .
O X . X O
O X . X O
. O . O .
after b C3 1
self-atari b C3


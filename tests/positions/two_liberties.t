# Chains with two liberties.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then a
# line for each thing that must hold:
#   play b C3             is played
#   moves b C3 D4 E5      all that black would do about the chain at C3, or none
#   hopeless b C3 D4 E5   the same with extensions that gain no liberty
#   safe C3 / unsafe C3   it connects at one liberty, and connects or extends at the other
#   sure b C3 D4          the atari after which the white chain at C3 is lost, or none

# --- atari and escape -----------------------------------------------------------

% a stone in the open: either side, for either colour
. . . . .
. . X . .
. X O . .
. . . . .
. . . . .
moves b C3 C2 D3
moves w C3 C2 D3
unsafe C3

% at the edge
. . . . .
. . . . .
. . . . .
. X . . .
. O . . .
moves b B1 C1
moves w B1 C1
hopeless w B1 A1 C1

% in the corner
. . . . .
. . . . .
. . . . .
. . . . .
O . . . .
moves b A1 A2 B1
moves w A1 A2 B1

% extensions that gain nothing
. . . . .
O O O . .
X X . O .
. O . . .
. . . . .
moves b A3 none
hopeless b A3 A2 C3
moves w A3 A2 C3

% into a dead end of three points
. . . . . . .
. . . . . . .
O O O O . . .
X X X . O . .
O O . . O . .
. O O O . . .
. . . . . . .
moves b A4 none
hopeless b A4 C3 D4
moves w A4 C3 D4

% the own corner, or the open side
. . . . .
. . . . .
O O O . .
X X . . .
O . O . .
moves w A2 B1 C2
moves b A2 B1

% a fill that is suicide
. . . . . .
. . . . . .
. . . . . .
X X X . . .
O O X . . .
. O . . . .
moves b A2 C1
moves w A2 none
unsafe A2

% a self-atari is no atari, but something may be connected first
. . . . .
. . . . .
X X X X X
O O O O X
O . X . X
moves b A2 D1

% a self-atari, and nothing to connect
. . . . . .
. . . . . .
O O O O . .
X X X O . .
. O . . . .
. . O . . .
moves w A3 A2 C2
moves b A3 none

# --- no need --------------------------------------------------------------------

% a friend at both liberties
. . . . .
. . X . .
. X O . .
. . . O .
. . . . .
safe C3
moves b C3 none
moves w C3 none

% a friend at one, room at the other
. . . . . . .
. . . . . . .
. . X X . . .
. X O O . . .
. . X . O . .
. . . . . . .
. . . . . . .
safe C4
moves b C4 none

% a friend at one, no room at the other
. . . . . . .
. . . . . . .
. O O O O . .
O X X . X . .
. O . O . . .
. O O . . . .
. . . . . . .
unsafe B4
moves w B4 D4
moves b B4 A3 D4

% the friend is in atari itself
. . . . . . .
. . . . . . .
. O O O O . .
O X X . X O .
. O . O O . .
. . . . . . .
. . . . . . .
unsafe B4

% the two liberties are beside each other
. . . . .
. . . . .
O O O . .
X X O . .
. . O . .
unsafe A2
moves b A2 none

# --- counter-atari --------------------------------------------------------------

% enemies beside it that have two liberties
. . . . .
. . . . .
. O X . .
. X O . .
. . . . .
moves b C3 A3 B4 C1 C4 D2 D3

% an enemy beside it that is in atari, and one with two liberties
. . . . . .
. . . . . .
. O X . . .
. X O . . .
. . X . . .
. . . . . .
moves b C4 A4 B5 C5 D3 D4

% enemies with three liberties are not attacked
. . . . .
. . O . .
. O X . .
. . . . .
. . . . .
moves b C3 C2 D3

% who attacks makes no counter-atari
. . . . . .
. . . . . .
. O X . . .
. X O . . .
. . X . . .
. . . . . .
moves w C4 C5 D4

# --- for sure -------------------------------------------------------------------

% towards the edge
. . . . .
. . . . .
. . . . .
O O . . .
. X . . .
sure w B1 C1

% into the corner, where one liberty is left
. . . . .
. . . . .
. . . . .
. O . . .
. X . . .
sure w B1 C1

% room on both sides
. . . . . .
. . . . . .
. . . . . .
. . . . . .
. . O . . .
. . X . . .
sure w C1 none

% in the middle, into a dead end
. . . . . . .
. . O O . . .
. O X . O . .
. . . O . . .
. . . . . . .
. . . . . . .
. . . . . . .
sure w C5 C4

% a friend in the dead end
. . . . . . .
. . O O . . .
. O X . X . .
. . . O . . .
. . . . . . .
. . . . . . .
. . . . . . .
sure w C5 none

% a friend in atari does not help
. . . . . . .
. . O O O . .
. O X . X O .
. . . O O . .
. . . . . . .
. . . . . . .
. . . . . . .
sure w C5 C4

% it takes something at the end
. . . . . . .
. . O O X . .
. O X . O X .
. . . O X . .
. . . . . . .
. . . . . . .
. . . . . . .
sure w C5 none

% it can take something beside it
. . . . . . .
. X O O . . .
X O X . O . .
. . . O . . .
. . . . . . .
. . . . . . .
. . . . . . .
sure w C5 none

% the atari must not be suicide
. . . . .
. . . . .
O O O . .
X X O . .
. X . O .
sure w A2 C1

# --- two liberties of the wall --------------------------------------------------

% liberties beside each other: a step to one takes from the other
. . . . . .
. . . . . .
. O O O . .
O X X . O .
. O . . O .
. . O O . .
unsafe B3
moves b B3 none

# Eyes of one point, true and false.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then a
# line for each thing that must hold:
#   play b C3                     is played
#   closed b C3 / open b C3       an eye of black that is not false, or none

% one point in the middle, at the edge and in the corner, for one colour and the other
. X . X X X .
X X . X . X .
. . . X X X .
. . . . . . .
O . . O . . .
. O O . O . .
O . O O O . .
closed b A7
closed b E6
closed w B1
open w A7
open w E6
open b B1
open b D4

% corners: two in the middle, one at the edge
. . . . . . .
. . O X X . .
. . X . X . .
. . X X O . .
. . . . . . .
. O X . . . .
. X . X . . .
open b D5
open b C1

% one corner in the middle is harmless
. . . . .
. X X X .
. X . X .
. X X O .
. . . . .
closed b C3

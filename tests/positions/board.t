# What the board does, position by position.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first),
# then a line for each thing that is done or must hold:
#   play b C3             legal, and played
#   pass b
#   legal b C3            legal, but not played
#   refuse b C3 REASON    occupied, ko or suicide
#   refuse-even b C3      suicide even where it is allowed
#   suicide b C3          allowed by some rules, and played
#   eye b C3 / open b C3  an eye that a playout of that colour does not fill, or none
#   liberties C3 4        of the chain there
#   stones C3 2           in the chain there
#   captures b 3          that black has taken in all
#   ko C3 / ko none
#   becomes               and the rows of the position that must be there now

% a lone stone in the open, at the edge and in the corner
. . . . .
. . . . .
. . X . .
. . . . .
X . O . .
liberties C3 4
liberties C1 3
liberties A1 2
stones C3 1

% a stone between two chains joins them, and shared liberties count once
. . . . .
. X . X .
. . . . .
. . . . .
. . . . .
play b C4
stones B4 3
liberties D4 8
liberties B4 8

% a chain that bends round a point counts it once
. . . . .
. X X . .
. X . . .
. . . . .
. . . . .
liberties B4 7

% a wall takes a chain in the corner
. . . . .
. . . . .
X X . . .
O O X . .
O O . . .
legal w C1
play b C1
captures b 4
becomes
. . . . .
. . . . .
X X . . .
. . X . .
. . X . .
stones C1 2
liberties C1 5
liberties A3 5

% one move takes four chains at once
. X O X .
X O . O X
. X O X .
. . X . .
. . . . .
play b C4
captures b 4
becomes
. X . X .
X . X . X
. X . X .
. . X . .
. . . . .
liberties C4 4
ko none

% the same chain on two sides of the move is taken once
. X X . .
X O O X .
X O . X .
. X O X .
. . X . .
play b C3
captures b 4
becomes
. X X . .
X . . X .
X . X X .
. X . X .
. . X . .

% ko: not taken back at once, but after a move elsewhere
. X O .
X . X O
. X O .
. . . .
play w B3
captures w 1
ko C3
refuse b C3 ko
legal w C3
play b A1
ko none
play w D1
play b C3
captures b 1
ko B3
refuse w B3 ko

% a pass lifts the ban of a ko
. X O .
X . X O
. X O .
. . . .
play w B3
refuse b C3 ko
pass b
pass w
legal b C3

% ko in the corner
X . X .
O X . .
. . . .
. . . .
play w B4
captures w 1
ko A4
refuse b A4 ko

% taking two stones is no ko
. X X O .
X . O O .
. X X O .
. . . . .
. . . . .
play w B4
ko none

% snapback: the chain that took a stone is taken, and that is no ko
. . . . .
. . . . .
X X X X .
O O O X .
. . O X .
play b A1
liberties A2 1
play w B1
captures w 1
ko none
play b A1
captures b 5
becomes
. . . . .
. . . . .
X X X X .
. . . X .
X . . X .

% one stone cannot take itself off, under no rules
. X . O .
X . X O .
. X . O .
O O O . .
. . . . .
refuse w B4 suicide
refuse-even w B4
eye b B4

% two stones can, where suicide is allowed
O . X . .
X X X . .
. . . . .
. . . . .
. . . . .
legal b B5
suicide w B5
captures b 2
ko none
becomes
. . X . .
X X X . .
. . . . .
. . . . .
. . . . .
liberties A4 7

% a move without liberties that captures is no suicide
. O X . .
O X X . .
X . . . .
. . . . .
. . . . .
legal b A5
play b A5
captures b 2
becomes
X . X . .
. X X . .
X . . . .
. . . . .
. . . . .

% eyes in the middle: one enemy diagonal is harmless, two are not
. . . . . . .
. X X X O X O
. X . X X . X
. X X X O X X
. . . . . . .
. . . . . . .
. . . . . . .
eye b C5
open w C5
open b F5

% eyes at the edge and in the corner: no enemy diagonal
. X . X . X .
X X X X X X X
X . X O X O .
. . . . . . .
X . . . . . .
. X . . . O .
. X . . . . O
eye b A7
eye b C7
eye b E7
eye b G7
open b A1
open w G1

% a diagonal makes the edge eye false
. X . X .
. O X O .
. . . . .
X O . . .
. X . . .
open b C5
open b A1

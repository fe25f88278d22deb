# What a tree search must solve.
#
# Komi is set so that the one thing in question decides the game: whoever gets it has
# won, and all other groups live whatever is tried.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then
#   komi X
#   play w E4             what was played before, if anything
#   choose b D4 E5        the moves that win for that colour: all that do
#   hard WHY              it is not found in time with every seed; told, not asserted

# Captures

% a throw-in takes the stones that would connect
X O . . O O . O .
X O O O X O O O O
X X X X X X O . O
. X . . X X O O O
X X X X . X X O .
. . X X X . X O O
X X X . X X X X O
. X . X X O O O O
. X X X O O . O .
komi 17.5
choose b D9
choose w D9

% of two chains in atari, the one that holds five others
. X X X X X O . X
O O O O O O X X X
. O . O . O X . X
O O O O O O X X X
. O . O X X X . X
O O O O X . X X X
O . O O X X X X .
O O O O O X X X X
O . O . O . O O O
komi -10.5
choose b H9

% a race of six stones against six, three liberties each: the enemy's first
. O O X O X X . X
O O . X O . X X X
. O O X O X X . X
O O . X O . X X X
. O O X O X X . X
O O . X O . X X X
. O O O X X X . X
O O . O X X . X X
. O O O X . X X .
komi 9.5
choose b F4 F6 F8
choose w C4 C6 C8

% a race with shared liberties: any but one's own
. O O X . O X . .
O O . X . O X X X
. O O X O . X . X
O O . X O O X X X
. O O X O . X . X
O O O X O O X X X
. O O O X X X . .
O O . O X X . X X
. O O O X . X X .
komi 9.5
choose b E8 E9 F5 F7

% the last ko
. X . X O . O . .
X X X X O O O O O
. X . X O . O . O
X X X X O O O O O
. X X O . O O . O
X X X X O O O O O
. X . X O . O . .
X X X X O O O O O
. X . X O . O . .
komi -8.5
choose b E5
choose w E5

% a ko that was just taken: first a threat, in the four in a row
. . . . O X . X .
O O O O O X X X X
X X X X X X . X .
. X . X . X X X X
X X X X X X X X X
X X X X . X X X X
O O O O X O O O O
. O . O O O . O .
O O . O . O O O O
komi 7.5
play w E4
choose b B9 C9

% the last neutral point
. X . O .
X X X O O
. X X O .
X X X O O
. X X O .
komi 4.5
choose b C5
choose w C5

# Life and death

% two halves with an eye each must connect
. X O . O
X X O O O
. O O . O
X X O O O
. X O . O
komi -15.5
choose b A3
choose w A3

% the middle of a straight three
. . . O X . . X .
O O O O X X X X X
X X X X X . X . .
. X . . X X X X X
X X X X X X . . X
O O O O O X X X X
. O . . O O O O O
O O O O O . . O .
. . O . . O O O .
komi 9.5
choose b B9
choose w B9

% the corner of a bent three
. . O X . X . X .
. O O X X X X X X
O O X X . . X . .
X X X . X X X X X
. . X X O O O O O
X X X O O . . O .
X O O O . O O O O
O O . O O O . O .
. O O O . . O O O
komi -0.5
choose b A9
choose w A9

% the corner of a bent three, 7x7
. . O X . X .
. O O X X X X
O O X X . . X
X X X X X X X
O O O O O O O
. O . . O . .
O O O O O O .
komi -0.5
choose b A7
choose w A7

% the middle of a pyramid of four
X X O . . . O X .
. X O O . O O X X
X X X O O O X X .
X . X X X X X . X
O X X O O O X X X
O O O O . O O O O
. O . O O O . . O
O O O . . O O O O
. . O O O O . O .
komi -11.5
choose b E9
choose w E9

% the heart of a bulky five
. . . O X . X . .
. . O O X X X X X
O O O X X . X O O
X X X X . X X O .
. X . X X X O O O
X X X X O O O . .
. . X O O . . O O
X X X O . O O O O
. X O O O O . . O
komi 8.5
choose b B9
choose w B9

% the heart of a bulky five, 13x13
. . . O X . X . X O . O .
. . O O X X X X X O O O O
O O O X X . X . X O . . O
X X X X . X X X X O O O O
. X . X X X . X O O . O .
X X X X . . X X O . O O O
. . X X X X X O O O O . .
X X X O O O O O . . O O O
. X X O . . O . O O O . .
X X O O O O O O O . O O O
. X X X X O . . O O . . O
X X . X . X O O O . O O O
. X X X X X X O . O O . O
komi -9.5
choose b B13
choose w B13

% the middle of a cross of five
O O . O O X . X .
O . . . O X X X X
O O . O O X . X .
X O O O X X X X X
X X X X X X X . X
. X . X X O O O O
X X X O O O . O .
O O O O . O O O O
. O . O O O . . O
komi 5.5
choose b C8
choose w C8

% the middle of a rabbity six
. . O O X . X . .
. . . O X X X X X
O . O O X . X O O
O O O X . X X O .
X X X X X X O O O
. X . X O O O . .
X X X O O . . O O
. X X O . O O O O
X X O O O O . . O
komi 3.5
choose b B8
choose w A8 B8 B9

% six points in the corner, without a liberty outside
. . . O X . X . .
. . . O X X X X X
O O O O X . X O O
X X X X . X X O .
. X . X X X O O O
X X X X O O O . .
. . X O O . . O O
X X X O . O O O O
. X O O O O . . O
komi 7.5
choose b B8 B9
choose w B8 B9

% an eye that a stone from outside makes false
. O O . O X . X .
O O O O . X X X X
X X X X X X . . X
. X . . X X X X X
X X X X X O O O O
O O O O O O . O .
. O . . O O O O O
O O O O . O . . O
. . O O O O O O .
komi -8.5
choose b E8
choose w E8

% two stones that are the second eye
. O X X . X . X .
O O O O O X X X X
X X X X X X . . X
. X . . X X X X X
X X X X X O O O O
O O O O O O . O .
. O . . O O O O O
O O O O . O . . O
. . O O O O O O .
komi -8.5
choose b E9
choose w E9

% a square of four is dead already, a straight three is not
. . O X . X X O .
. . O X X . X O .
O O O X . X X O .
X X X X X X X O O
. X . X . X X X X
X X X X X X O O O
O O O O O O O . .
. O . . O . O O O
O O O O O O O . .
komi 12.5
choose b J8

% seven stones on the second line
. . . . . . . . .
X O O O O O O O X
X X X X X X X X X
. X . . X . . X .
X X X X X X X X X
O O O O O O O O O
. O . O . . O . .
O O O O O O O O O
. . O . O . O . .
komi -6.5
choose b B9 H9
choose w B9 E9 H9

# Ladders and nets

% the atari from the right drives a chain into a ladder
. X . X O O O O O
X X X X O O X X X
X X X X X O X . X
. . . . . O . X .
. . . . . X O X X
. . . . X X O O O
. . . X . X O . O
X X X X X X O O O
. X . X . X O . O
komi 45.5
choose b G6
choose w G6

% the same ladder with a longer way to the edge
. X . X O O O O O
X X X X O O X X X
X X X X X O X . X
. . . . . O . X .
. . . . . X O X X
. . . . X X O O O
. . . X . X O . O
. . . X X X O O O
. . . X . X O . O
komi 45.5
choose b G6
choose w G6

% a chain between its friends and the corner: a ladder to the left, or a net
. X . X O O O O O
X X X X O O X X X
X X X X X O X . X
. . . . O O X X .
. . . . . X X X X
X X . O . X O O O
. X O O O X O . O
X X O . O X O O O
. X O O O O O . O
komi 22.5
choose b D5 E5

% a net where a ladder fails
. X . X O O O O O
X X X X O O X X X
X X X X X O X . X
. . . . O O X X .
. . O . . X X X X
O O O . . X O O O
. O O O . X O . O
O O O . . X O O O
. O . O . X O . O
komi -0.5
choose b D5

% a ladder that ends at friends is none: run
. X . X O O O O O
X X X X O O X X X
X X X X X O X . X
. . . . . O X X .
. . O . . X X X X
O O O O . X O O O
. O O O . X O . O
O O O . . X O O O
. O . O . X O . O
komi -0.5
choose w E6

# Races. Light playouts fill the liberties of both sides alike, and with them not every seed
# finds these.

% the race of six against six where black has room inside
. O O X O X X . .
O O . X O . X X X
. O O X O X X . X
O O . X O . X X X
. O O X O X X . X
O O . X O . X X X
. O O O X X X . .
O O . O X X . X X
. O O O X . X X .
komi 9.5
choose w C4 C6 C8

% a race with five liberties each
. O O X O X X . .
O O . X O . X X X
. O . X O . X . X
O O . X O . X X X
. O . X O . X . X
O O . X O . X X X
. O O O X X X . .
O O . O X X . X X
. O O O X . X X .
komi 9.5
choose b F4 F5 F6 F7 F8
choose w C4 C5 C6 C7 C8
hard one seed of three fails for black: playouts call the race even

% a race with seven liberties each
O O . X O . X X .
. O . X O . X . X
O O . X O . X X X
. O . X O . X . X
O O . X O . X X X
. O . X O . X X .
O O . X O . X . X
O . O O X X X X X
. O O O X X . X X
komi 9.5
hard one seed of three fails for black: playouts call the race even
choose b F3 F4 F5 F6 F7 F8 F9

# What stands as it is: seki, and bent four in the corner.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then a
# line for each thing that must hold:
#   left w A1 / touched w A1    white loses by playing there what it has, or not
#   bad w A1 / fine w A1        it is a bad self-atari, or none

% a seki with a liberty outside: neither touches the eye
. . . . . .
. . . . . .
X X X X X X
X X . X X X
O O O O O O
. X X X . O
left w A1
left w E1
touched w C3
bad b A1
bad b E1

% with an eye elsewhere the three are taken
. . . . . .
. . . . . .
X X X X X X
X O O O X X
O O . O O O
. X X X . O
touched w A1
touched w E1

% or with room for one
. . . . . .
X X X X X X
X O O O O X
X O . . O X
O O O O O O
. X X X . O
touched w A1
touched w E1

% with a way out, too
. . . . . .
. . . . . .
X . . . X X
X X . X X X
O O O O O O
. X X X . O
touched w A1
touched w C3

% four in a row leave two eyes
. . . . . . .
. . . . . . .
. . . . . . .
X X X X X X X
X X . X X X X
O O O O O O O
. X X X X . O
touched w A1

# --- bent four in the corner --------------------------------------------------------------

% nobody takes it
. . . . . .
. . . . . .
X X . . . .
O O X X X X
X O O O O X
X X X . O X
left w D1
touched b D1

% it is given, if nothing is left outside
. . . . . .
. . . . . .
X X . . . .
O O X X X X
. O O O O X
X X X . O X
fine b A2
bad b D1
bad w A2
bad w D1

% too early
. . . . . .
. . . . . .
X X X X . .
O O . X X X
. O O O O X
X X X . O X
bad b A2
bad b D1

% it is taken where the captor has a liberty more
. . . . . .
. . . . . .
X X X X . .
O O . X X X
X O O O O X
X X X . O X
touched w D1

% four in a square are another matter
. . . . . .
. . . . . .
X X X X . .
O O O X X X
X X O O O X
X X . . O X
touched w C1

# --- eyes that are false for stones in a seki ---------------------------------------------

% the two chains live by the point that connects them
. . . . . .
X X X X . .
O O O O X .
O X X . X .
O X . X X .
. O O O X .
left w A1

% unless one of them is in atari
. . . . . .
X X X X . .
O O O O X .
O X X . X .
O X X X X .
. O O O X .
touched w A1

% stones that make an eye false are not given: it is a true one then
. . . . . .
X X X X . .
O O O O X .
O X X . X .
O X . O X .
. O O O X .
bad b C2

# --- races --------------------------------------------------------------------------------

% nothing is given where a chain around it can be taken
. . . . . . .
. . . . . . .
. . . . . . .
. O O X X . .
O O X O . X .
O . X O X X .
O . X O X X .
bad b B2

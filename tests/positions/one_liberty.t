# Chains in atari.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then a
# line for each thing that must hold:
#   play b C3             is played
#   answers b C3 D4 E5    all that black would do about the chain at C3, or none
#   enough b C3 D4 E5     the same if a capture that saves it is enough

# --- taking ---------------------------------------------------------------------

% a stone, and its owner who can run
. . . . .
. . X . .
. X O . .
. . X . .
. . . . .
answers b C3 D3
answers w C3 D3
enough w C3 D3

% a stone that cannot run
. . . . .
. X X . .
X O . X .
. X X . .
. . . . .
answers b B3 C3
answers w B3 none

% a chain
. . . . .
X X X . .
O O O X .
X X . . .
. . . . .
answers b A3 C2
answers w A3 C2

% not into a snapback, and who set it up takes
. . . . .
. . . . .
X X X X .
O O O X .
X . O X .
answers w A1 none
answers w A2 none
answers b A2 B1

% not a ko that was just taken
. . . . .
. X O . .
X . X O .
. X O . .
. . . . .
play w B3
answers b B3 none

% the ko may be taken a move later
. . . . .
. X O . .
X . X O .
. X O . .
. . . . .
play w B3
play b E5
play w E1
answers b B3 C3

% where taking is the only move, it is no suicide
. O X . .
O X X . .
X . . . .
. . . . .
. . . . .
answers b A4 A5
answers b B5 A5
answers w A4 none

% two chains in atari at the same point
. . X . .
. X O X .
X O . O X
. X O X .
. . X . .
answers b C4 C3
answers b D3 C3
answers w C4 none

# --- saving ---------------------------------------------------------------------

% running and taking
. . . . . .
. . O . . .
. O X . . .
. X O . . .
. . X . . .
. . . . . .
answers b C4 D3 D4
enough b C4 D3
answers w C3 D3 D4
enough w C3 D4

% taking is all that is left
. X . . .
O X . . .
O X . . .
X O . . .
. O . . .
answers b A2 A5
enough b A2 A5
answers w A2 A1
answers w A3 A1

% running takes
. . . . . .
. . O O . .
. O X . O .
. X O O X .
. . X X . .
. . . . . .
answers b C4 D4
enough b C4 D4
answers w C3 D4

% a step that leaves one liberty is none
. . . . . .
. . . . . .
O O O O . .
X X . . O .
O O O O . .
. . . . . .
answers b A3 none
answers w A3 C3

% a step to a friend
. . . . . .
. . . . . .
O O O . . .
X X . X . .
O O O O . .
. . . . . .
answers b A3 C3

% a step to a friend who has one liberty more and no other
. . . . . .
. . . . . .
O O O O . .
X X . X . .
O O O O . .
. . . . . .
answers b A3 none

% a step to a friend that is in atari itself
. . . . . .
. . . . . .
O O O O . .
X X . X O .
O O O O . .
. . . . . .
answers b A3 none

% along the edge, walled in on both sides
. . O . .
. O X O .
. O X O .
. O X O .
. . . . .
answers b C2 none
answers w C2 C1

% along the edge with friends on both sides
. . . . . . .
. . . . . . .
. . . . . . .
. . O O O . .
. . O X O . .
. X O X O X .
. X . . . X .
answers b D2 D1

# --- ko -------------------------------------------------------------------------

% a stone in a ko is not connected
. . . . .
. X O . .
X . X O .
. X O . .
. . . . .
answers b C3 none
answers w C3 B3

% unless there is an eye beside
X . . . .
. X O . .
X . X O .
. X O . .
. . . . .
answers b C3 B3

% two stones are no ko
. . . . . .
. X O O . .
X . X X O .
. X O O . .
. . . . . .
. . . . . .
answers b C4 B4
answers w C4 B4

% a ko in the corner
. X O . .
X O . . .
O . . . .
. . . . .
. . . . .
answers w B5 A5
answers b B5 none
answers b A4 none

% a stone in a ko takes another way
. . . X .
. X O O X
X . X O X
. X O X .
. . . . .
answers b C3 C1 C5
enough b C3 C1 C5

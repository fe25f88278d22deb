# What an atari is good for.
#
# A case is a title after %, a diagram, then lines:
#   play b C3             is played
#   kind b C3 double      black's move there is an atari of this kind:
#                         no-atari, plain, nearby, beside, double, catches, frees, cutting,
#                         large, snapback; see goengine/tactics/ataris.py

# --- none, or nothing but an atari ----------------------------------------------------------

% three liberties become two; two become one
. . . . . . .
. . . . . . .
. . . . . . .
. . X O . . .
. . . . . . .
. . . . . . .
. . . . . . .
kind b D5 no-atari
kind b G1 no-atari
play b D5
kind b E4 plain
kind b D3 plain
kind w C5 no-atari

% a stone in atari is taken, which is no atari
. . . . .
. . X . .
. X O . .
. . X . .
. . . . .
kind b D3 no-atari

% a self-atari beside a chain of two liberties
. . . . . . .
. . . . . . .
. . . . . . .
. . O . O . .
. . X O . . .
. . . X . . .
. . . . . . .
kind b D4 no-atari
kind b E3 plain
play w D5
kind b D4 no-atari

# --- two at once ----------------------------------------------------------------------------

% two stones, and nothing saves both
. . . . . . .
. . . . . . .
. . . . . . .
X O . O X . .
. X . X . . .
. . . . . . .
. . . . . . .
kind b C4 double

% the same, but the stone would be taken
. . . . . . .
. . . . . . .
. . O . . . .
X O . O X . .
. X . X . . .
. . . . . . .
. . . . . . .
kind b C4 no-atari

% two stones with the same last liberty are joined there
. . . . . . .
. O . X . . .
. . . O X . .
. X O . . . .
. . X . . . .
. . . . . . .
. . . . . . .
kind b D4 plain

% two stones, one of them lost anyway: white lets it go
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
X X X X X X X . .
X . . . . . X . .
X . O . O X X . .
X X X X X . . . .
. . . . . . . . .
kind b D3 catches

# --- ladders --------------------------------------------------------------------------------

% towards the edge, and away from it
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . X . . .
. . X O . . .
. . . . . . .
kind b E2 catches
kind b D1 plain

% across the board, until a friend waits there
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. X O . . . .
. . X X . . .
. . . . . . .
kind b C4 catches
kind b D3 plain
play w E5
kind b C4 plain

% a stone that cuts
. . . . . . .
. . . . . . .
. . X . . . .
. X O . . . .
. . O X . . .
. . X O . . .
. . . . . . .
kind b E2 cutting
kind b D1 plain
play b E3
kind b D1 cutting

% three stones
. . . . . . .
. . . . . . .
. . . X . . .
. . X O X . .
. . X O X . .
. . X O . . .
. . . . . . .
kind b D1 large
kind b E2 large

% three stones that have no room
. . . . . . .
. . . . . . .
X X X X X X .
X X X X . X .
X X X O . X .
. . X O . X .
. . X O X X .
kind b E3 catches

% it frees three stones that are short of liberties
. . . . . . .
. O O X . . .
. O X . . . .
. O X O X . .
. O X . . . .
. . O . . . .
. . . . . . .
kind b D3 frees

# --- an answer that comes too late elsewhere --------------------------------------------------

% a crosscut: one stone is in atari, the other has two liberties left
. . . . . . . . .
. O . . . . . . .
. X O . . . . . .
. . X O . X . . .
. . X . . . X X .
. . . . X X O O .
. . . O O O . . .
. . . . . . . . .
. . . . . . . . .
kind b C8 beside
play b D7
kind b C8 no-atari

% the other stone would get out
. . . . . . .
. . . . . . .
. . . X O . .
. . O X X . .
. . . . . . .
. . . . . . .
. . . . . . .
kind b C5 no-atari
kind b E6 plain

% not beside, but near enough to lose the liberty that it needs
. . . . . . . . .
. X O . . . . . .
. X . O . . . . .
. X X X O O O . .
. O O O X . X . .
. O X O X . O . .
. O X X O . X . .
. X . . . . . . .
. . . . . . . . .
kind b F4 nearby
kind b H4 plain
play w E1
kind b F4 nearby
play w D2
kind b F4 plain

# --- snapback -------------------------------------------------------------------------------

% whoever takes the stone is taken
. X X X O O . . .
. X O O O . O . .
. . X O O . O . .
. . X O X O O . .
. . X X X O . . .
. . . . X O O . .
. X X X O X O O O
. X O O O X X X X
. O . . X . . . .
kind b C1 snapback
kind b D1 catches

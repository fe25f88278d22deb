# Ladders.
#
# A case is a title after %, a diagram (X black, O white, . empty, top row first), then a
# line for each thing that must hold:
#   caught C3 / escapes C3            the chain in atari there, its owner to move
#   ladder C3 / no-ladder C3          caught, but not at once; or not so
#   edge C3 / no-edge C3              hopeless along the edge, at a look; or not seen so
#   caught-after C3 D3 / escapes-after C3 D3   the chain at C3 if the enemy plays D3
#   starts C3 D3 / starts-none C3 D3  the same in what looks like a ladder
#   kind b C3 catches                 what a move has to do with ladders, or none

% to the edge and no further
. . . . . .
. . . . . .
. . O O . .
. O X . . .
. . O . . .
. . . . . .
caught C3
ladder C3

% a friend on the way
. . . . . . .
. . . . . . .
. . O O . . .
. O X . . . .
. . O . . . .
. . . . . X .
. . . . . . .
escapes C4
no-ladder C4

% a friend beside the way does not help
. . . . . . .
. . . . . X .
. . O O . . .
. O X . . . .
. . O . . . .
. . . . . . .
. . . . . . .
caught C4

% an enemy on the way makes it shorter
. . . . . . .
. . . . . . .
. . O O . . .
. O X . . . .
. . O . . . .
. . . . O . .
. . . . . . .
caught C4

% without the stone that keeps it in
. . . . . . .
. . . . . . .
. . O . . . .
. O X . . . .
. . O . . . .
. . . . . . .
. . . . . . .
escapes C4

% a friend beside a chaser: running puts that one in atari
. . . . . . .
. . . . . . .
. . O O . . .
. O X . . . .
. X O . . . .
. . . . . . .
. . . . . . .
escapes C4

% the wall is short of liberties: it is in atari after the first step
. . . . . . .
. . X X . . .
. X O O . . .
. O X . . . .
. . O . . . .
. . . . . . .
. . . . . . .
escapes C4

% taking two stones frees it
. . . . . . .
. . X X . . .
. X O O X . .
. O X . . . .
. . O . . . .
. . . . . . .
. . . . . . .
escapes C4

% the chain of the chaser has too few liberties
. . . . . . .
. . . X . . .
. . O O . . .
. O X . X . .
. . O . . . .
. . . . . . .
. . . . . . .
escapes C4

% a ko at the start: who is banned from it must not be called caught
. . . . . . .
. . . X . . .
. . X O X . .
. O X . O . .
. . O O . . .
. . . . . . .
. . . . . . .
escapes C4

% too short for a ladder
. . . . .
. O O . .
O X . O .
. O O . .
. . . . .
caught B3
no-ladder B3

% it has no room at all
. . . . .
. . . . .
O . . . .
X O . . .
. O . . .
caught A2
no-ladder A2

% long and winding, round a corner
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . O . . . . .
. . O X . . . . .
. . O X O . . . .
escapes D2

% along the edge, walled in on both sides
. . O . .
. O X O .
. O X O .
. O X O .
. . . . .
edge C2
caught C2

% along the edge with a friend at one side
. . . . . . .
. . . . . . .
. . . . . . .
. . O O O . .
. . O X O . .
. . O X O . .
. X . . . . .
edge D2
caught D2

% friends at both sides
. . . . . . .
. . . . . . .
. . . . . . .
. . O O O . .
. . O X O . .
. X O X O X .
. X . . . X .
no-edge D2
escapes D2

% a flank that is not there
. . . . . . .
. . . . . . .
. . . . . . .
. . O O O . .
. . O X O . .
. . O X . . .
. . . O . . .
no-edge D2

% the flank has too few liberties to block
. . . . . . .
. . . . . . .
. . . . . . .
. . O O . . .
. . O X O X .
. . O X O X .
. . . . . X .
no-edge D2
escapes D2

% it can take the flank
. . . . . . .
. . . . . . .
. . . . X X .
. . O O O O X
. . O X X O X
. . O X O X .
. . . . . X .
no-edge D2

% not on the first line
. . . . .
. . O . .
. O X O .
. . . . .
. . . . .
no-edge C3

% two liberties, and the right one and the wrong one to play
. . . . . . .
. . . . . . .
. . O O . . .
. O X X . . .
. . O . . . .
. . . . . . .
. . . . . . .
caught-after C4 E4
escapes-after C4 D3
starts C4 E4
starts-none C4 D3

% either works where the board ends
. . . . .
. O O O .
. O X X .
. . O . .
. . . . .
caught-after C3 E3

% the chaser must not play there
. . . . .
. . . . .
O O O . .
X X O . .
. X . . .
starts-none A2 A1
escapes-after A2 A1
starts-none A2 C1
caught-after A2 C1

% two liberties at the edge
. . . . .
. . . . .
. O O O .
. O X O .
. . X . .
caught-after C1 B1
caught-after C1 D1

% two liberties at the edge, a friend on one side
. . . . . .
. . . . . .
. O O O . .
. O X O . .
. . X . X .
. O O . . .
escapes-after C3 B2
caught-after C3 D2

% nothing to fear with three ways
. . . . .
. . O . .
. . X . .
. . O . .
. . . . .
escapes-after C3 B3
escapes-after C3 D3

% it can take one of the chasers on the way
. . . . . . .
. . . . . . .
. . O O . . .
. O X . . O X
. . O . . X .
. . . . . . .
. . . . . . .
escapes C4

% a ladder that runs into the corner
. . . . . .
. . . . . .
. . . . . .
. . . O O .
. . O X . .
. . . O . .
caught D2
ladder D2

% four stones in a row that fill up their own liberties
. . . . .
. . . . .
O O O O .
X X X . O
O O O O .
caught A2
no-ladder A2

% three chains, and each has its own way
. . . . . . . . .
. . . . . . . . .
. O O . . . . . .
O X . . . . . O .
. O . . . . O X O
. . . . . . . . .
. . . . . . . X .
. . . O . . . . .
. . O X . . . . .
caught B6
escapes H5
caught D1

% a ladder across the board, and the same with a stone in its way
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . O . . . . . .
. O X . . . . . .
. . O O . . . . .
caught C2
ladder C2

% across the board with a stone in its way
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . X . . .
. . . . . . . . .
. . . . . . . . .
. . O . . . . . .
. O X . . . . . .
. . O O . . . . .
escapes C2

% running takes a stone: not caught
. . . . .
. . . . .
. O O X .
O X . O X
. O . X .
escapes B2


# --- what a move has to do with ladders -------------------------------------------

% running, in vain and not
. . . . . . .
. . . . . . .
. . O O . . .
. O X . . . .
. . O . . . .
. . . . . . .
. . . . . . .
kind b D4 runs-in-vain
kind w D4 none
kind b A1 none

% running past a friend
. . . . . . .
. . . . . . .
. . O O . . .
. O X . . . .
. . O . . . .
. . . . . X .
. . . . . . .
kind b D4 runs

% an atari that catches, one that does not; and what the owner should do first
. . . . . . .
. . . . . . .
. . O O . . .
. O X . . . .
. . . . . . .
. . . . . . .
. . . . . . .
kind w C3 catches
kind w D4 chases
kind b C3 defends
kind b D4 defends

% nobody is in a hurry where the ladder does not work
. . . . . . .
. . . . . . .
. . O . . . .
. O X . . . .
. . . . . . .
. . . . . . .
. . . . . . .
kind w C3 chases
kind b C3 none

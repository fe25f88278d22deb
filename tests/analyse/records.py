"""Game records for tests."""

from __future__ import annotations

# Black fills one of the two eyes of sixteen stones with his second move, and they are taken.
BLUNDER = """\
(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[20]RU[Chinese]PB[岡目]PW[八目]
AB[ba:bi][ab:ah][ea:ei]AW[ca:ci]PL[B];B[ie];W[de];B[ai];W[aa];B[];W[])
""".encode()

# Variations, set-up in mid-game, handicap, passes, judgements, comments, unknown properties.
EVERYTHING = """\
(;GM[1]FF[4]CA[UTF-8]AP[Someone:1.0]SZ[5]KM[0.5]HA[2]AB[bb][dd]RU[Japanese]PB[本因坊 \\] 秀策]
PW[Ängström]C[Wurzel: größer als 3 \\] und \\\\ mehr]XX[unknown][values]
;W[cc]C[erste Züge]TE[1]LB[cc:1](;B[cd]N[name];W[];B[]AW[aa]C[];AB[ae]C[set up]
;W[ee](;B[ed]BM[2]C[bad])(;B[ab]C[variation of a variation];W[ba]))(;B[dc]C[Variante ☗];W[db])
(;B[aa];W[ab]))
""".encode()

PLAIN = b"(;SZ[5]KM[0];B[cc];W[bb];B[dd];W[dc])"

"""Positions from the middle of a game, the same for every version: moves, black first.

Pachi 12.90 played them against itself, 3,000 playouts a move.
"""

from __future__ import annotations

MOVES = {
    9: """
        F6 E4 G4 G3 H3 F3 H2 D6 D5 E5 E6 C5 D7 C6 C7 B7 B8 B6 F4 E3 G2 A8 C8 F2
    """,
    13: """
        D4 K4 K11 D11 C9 E10 L9 F3 F4 G4 F5 E3 D3 E4 E5 D5 D6 C5 D2 G3 C6 B5 B6 B10 C10 C11
        B9 B11 G5 L7 H4 H5 J5 H6 H3 E6 F6 E7 F7 H2 J2 G2 J4 K3 E8 J6 G12 E12 K5 L5 K7 K6 M7
        B3 B2 L8 M8 G11 H11 A2
    """,
    19: """
        D16 C4 Q16 R14 O16 R17 R16 S16 S15 S17 R15 P18 Q14 J3 C7 E4 C10 F17 H17 C17 D17 C16
        D15 D18 E18 C18 E17 C14 Q4 O3 R6 Q2 R3 L3 O18 P17 O17 P16 Q17 Q18 P15 O15 O14 N15
        N14 M15 M14 L15 L14 K15 K14 J14 J13 H14 J15 J16 H15 H16 G15 G16 F15 F18 F19 G19 E19
        H18 G13 R2 S2 Q3 R4 P4 P5 O5 P6 O6 O7 N7 N8 O8 P7 M7 K16 K18 D6 R10 N9 L16 L8 L7 K7
        K6 J7 J6 H7 M8 M9 L9 K8 S1 T2 S14 T15 C12 H6 H5 G5 G4 J5 L6 H4 H3 F4 G3 F3 F5 E5 F6
        F7 E6
    """,
}

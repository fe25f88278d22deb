"""Unconditional life from its definition, with sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from goengine.board import EMPTY
from goengine.points import all_points, stride_for


class NaiveLife:
    """Stones and points of regions that Benson's definition leaves for a colour."""

    def __init__(self, board: Any, color: int, suicide_allowed: bool) -> None:
        self.suicide_allowed = suicide_allowed
        self.size = int(board.rows)
        self.color = {point: int(board.color[point]) for point in all_points(self.size)}
        chains = self.components(lambda at: at == color)
        regions = self.components(lambda at: at != color)
        while True:
            healthy = [
                region
                for region in regions
                if all(any(p in chain for chain in chains) for p in self.border(region))
            ]
            kept = [
                chain
                for chain in chains
                if sum(self.is_vital(region, chain) for region in healthy) >= 2
            ]
            if kept == chains:
                break
            chains = kept
        self.stones = set().union(*chains)
        vital = [r for r in healthy if any(self.is_vital(r, chain) for chain in chains)]
        self.points = set().union(*vital)

    def beside(self, point: int) -> list[int]:
        stride = stride_for(self.size)
        around = (point - stride, point - 1, point + 1, point + stride)
        return [each for each in around if each in self.color]

    def components(self, belongs: Callable[[int], bool]) -> list[set[int]]:
        """Points that hang together, of those whose colour belongs."""
        found: list[set[int]] = []
        for start, at in self.color.items():
            if belongs(at) and not any(start in component for component in found):
                component, waiting = {start}, [start]
                while waiting:
                    for each in self.beside(waiting.pop()):
                        if belongs(self.color[each]) and each not in component:
                            component.add(each)
                            waiting.append(each)
                found.append(component)
        return found

    def border(self, region: set[int]) -> set[int]:
        return {each for point in region for each in self.beside(point)} - region

    def is_vital(self, region: set[int], chain: set[int]) -> bool:
        return all(
            any(each in chain for each in self.beside(point))
            for point in region
            if self.suicide_allowed or self.color[point] == EMPTY
        )

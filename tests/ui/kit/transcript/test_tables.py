"""Tables of several scripts."""

from notochord.ui.kit.transcript.pieces.table import TablePiece
from support.transcript_views import Bench


def baselines(table: TablePiece, row: int) -> set[int]:
    return {round(cell.above + cell.flow.baseline()) for cell in table._cells[row]}


def test_the_cells_of_a_row_stand_on_one_line_whatever_they_are_written_in(bench: Bench) -> None:
    bench.load("| 月份 | amount |\n|---|---|\n| 一月 | 12,300 |\n| gem | 字 |")
    (table,) = [piece for piece, _ in bench.pieces() if isinstance(piece, TablePiece)]
    heights = {cell.flow.height for cell in table._cells[1]}
    assert len(heights) == 2, "the scripts are of different height, else there is nothing to see"
    assert [len(baselines(table, row)) for row in range(3)] == [1, 1, 1]


def test_a_letter_is_found_where_it_stands_in_a_row_of_several_scripts(bench: Bench) -> None:
    bench.load("| 月份 | amount |\n|---|---|\n| 一月 | 12,300 |")
    (table,) = [piece for piece, _ in bench.pieces() if isinstance(piece, TablePiece)]
    position = table._starts[1][1] + 3
    left, top, height = table.place(position)
    assert table.hit(left + table.left, top + height / 2) == position

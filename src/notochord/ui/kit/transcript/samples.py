"""Texts for the pictures of the transcript: every kind of block, in English, Chinese and Hebrew."""

PLAIN_REASONING = "The user wants a file read. I call the tool first.\n\nThen I answer in the language of the question."

_CODE = '''```python
from pathlib import Path

async def read(path: Path, *, limit: int = 4096) -> str:
    """Return the text of a file."""
    if path.stat().st_size > limit:  # too long
        raise ValueError(f"{path} is longer than {limit} characters, which is more than anybody reads in a day")
    return path.read_text("utf-8")
```
'''

ENGLISH_ANSWER = (
    """Here is what **report.csv** holds. I opened it *once*, with `read(path)`, and ~~guessed~~ asked for the encoding;
see [the notes](https://docs.python.org/3/library/pathlib.html) or https://例子.测试/路径.

## What is in it

- Four columns: `name`, `city`, `visits` and `spent`
- One row per customer, which is long enough here to be wrapped so that the hanging indent can be judged by eye
  - Names are **unique**
  - Cities are not
    1. Berlin
    2. 上海

1. First step
2. Second step

> A quotation that somebody wrote down. It is long enough to wrap over the line, so that the bar at its left is seen.
>
> A second paragraph in it.

"""
    + _CODE
    + """
| Model | Runs | Context | Price per million |
|:--|:-:|--:|--:|
| SmolLM2 | this computer | 8,192 | – |
| 通义千问 | 云端 | 131,072 | ¥4 |
| A model with a longer name | cloud | 200,000 | $3.00 |

The formula $E = mc^2$ costs $5 to $10, and $$\\int_0^1 x\\,dx$$ stands in a line.

$$
\\sum_{i=1}^n i = \\frac{n(n+1)}{2}
$$

---

![A chart of sales](https://example.com/chart.png)

שלום עולם, זהו פסקה בעברית עם **הדגשה** וקוד.

- פריט ראשון
- פריט שני
"""
)

CHINESE_ANSWER = (
    """**「report.csv」**里有四列数据。这一段用来检查中文排版：行距是否舒适、标点是否正常，以及与 English words
混排时的间距。详见[说明](https://docs.python.org/3/library/pathlib.html)。

## 内容

- 列：`name`、`city`、`visits`、`spent`
- 每位客户一行；这一项写得长一些，好让它折到下一行，以便查看悬挂缩进是否整齐、折行处的标点是否合适
  - 姓名**不重复**
  - 城市可能重复

1. 第一步：安装 `gem`
2. 第二步：允许它读取文件夹

> 引用的一段话，也写得长一些，好让它折到下一行，这样就能看到左边的竖线是否连贯，颜色是否足够柔和，是否与正文区分得开。

"""
    + _CODE
    + """
| 模型 | 运行位置 | 上下文 | 每百万价格 |
|:--|:-:|--:|--:|
| SmolLM2 | 本机 | 8,192 | – |
| 通义千问 | 云端 | 131,072 | ¥4 |

公式 $E = mc^2$ 的价格在 $5 到 $10 之间。

![销售图表](https://example.com/chart.png)
"""
)

WIDE_ANSWER = (
    "A wide table and wide code slide by themselves.\n\n"
    + "| Name | City | Visits | First visit | Last visit | Spent | What they said when they were asked |\n"
    + "|---|---|--:|---|---|--:|---|\n"
    + "| Ada Example | Berlin | 12 | 2026-01-03 | 2026-11-02 | 1,204.50 | That it could be quicker, with a limit |\n"
    * 4
    + "\n"
    + _CODE
)

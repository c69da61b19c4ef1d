/** What the page says, in both languages. */
export const TEXTS = {
  en: {
    heading: "Sales by month",
    empty: "Nothing has been summed up yet. Attach a CSV file to a chat and ask for a monthly summary.",
    file: "File",
    facts: (rows, skipped, made) => `${rows} rows, ${skipped} of them not counted · ${made}`,
    chart: (months) => `Totals of ${months} months`,
    month: "Month",
    total: "Total",
    all: "All",
  },
  "zh-CN": {
    heading: "按月销售额",
    empty: "还没有汇总过。把 CSV 文件加到对话里，让 AI 做按月汇总即可。",
    file: "文件",
    facts: (rows, skipped, made) => `共 ${rows} 行，其中 ${skipped} 行未计入 · ${made}`,
    chart: (months) => `${months} 个月的合计`,
    month: "月份",
    total: "合计",
    all: "总计",
  },
};

/** What the page says, in both languages. */
export const TEXTS = {
  en: {
    heading: "Papers",
    words: "Words to find",
    find: "Find",
    more: "Show more",
    empty: "No documents yet. Attach some to a chat and ask what is in them.",
    nothing: "No document holds all of these words.",
    sumUp: "Sum up",
    summing: "Summing up…",
    forget: "Remove from the list",
    facts: (file, characters) => `${file} · ${characters} characters`,
  },
  "zh-CN": {
    heading: "文档",
    words: "要查找的词",
    find: "查找",
    more: "显示更多",
    empty: "还没有文档。把文档加到对话里，问问里面写了什么即可。",
    nothing: "没有文档同时包含这些词。",
    sumUp: "生成摘要",
    summing: "正在生成摘要…",
    forget: "从列表中移除",
    facts: (file, characters) => `${file} · ${characters} 个字符`,
  },
};

/** What the page says, in both languages. */
export const TEXTS = {
  en: {
    heading: "My issues",
    which: "Which issues",
    assigned: "Assigned to me",
    mentioned: "Mentioning me",
    created: "Created by me",
    reload: "Reload",
    more: "Show more",
    loading: "Asking GitHub…",
    none: "Nothing is open here.",
    pull: "pull request",
    account: "Choose a GitHub account for this gem on its page; accounts are added under Settings › Accounts.",
  },
  "zh-CN": {
    heading: "我的 issue",
    which: "显示哪些 issue",
    assigned: "指派给我的",
    mentioned: "提到我的",
    created: "我创建的",
    reload: "刷新",
    more: "显示更多",
    loading: "正在查询 GitHub…",
    none: "没有未关闭的 issue。",
    pull: "拉取请求",
    account: "请在这个 gem 的页面上选择 GitHub 账号；账号在“设置 › 账号”里添加。",
  },
};

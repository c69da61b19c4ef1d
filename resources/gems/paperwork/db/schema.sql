CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5 (file, title, text, tokenize = 'trigram');

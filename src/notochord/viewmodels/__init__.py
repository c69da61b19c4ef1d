"""What each screen shows and does, without Qt: observable state and asynchronous commands over the services' doors."""

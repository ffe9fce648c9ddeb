int metric_count();

int main() { return metric_count() > 0 ? 0 : 1; }

/* The C header from C: opens a session with the estimate, which every machine has. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "jouletree/meter.h"

static int failures = 0;

static void check(int fine, const char* what) {
  if (fine) return;
  fprintf(stderr, "failed: %s (last error: %s)\n", what, jt_last_error());
  ++failures;
}

static void pause_ms(long milliseconds) {
  const struct timespec time = {0, milliseconds * 1000000L};
  nanosleep(&time, NULL);
}

static void check_errors(void) {
  check(jt_open(NULL, "sources=crystal-ball") == NULL, "an unknown source is refused");
  check(strstr(jt_last_error(), "crystal-ball") != NULL, "and named");
  check(jt_open(NULL, "colour=blue") == NULL, "an unknown setting is refused");
  check(jt_open(NULL, "nonsense") == NULL, "a setting without value is refused");
  check(jt_open(NULL, "sources=estimate;interval_ms=0.01") == NULL, "too short an interval");
}

static void check_window(jt_session* session) {
  const uint64_t window = jt_begin(session, "sleep");
  jt_domain domain;
  jt_result* result = NULL;
  check(window != 0, "a window begins");
  pause_ms(250);
  result = jt_end(session, window);
  check(result != NULL, "a window ends");
  if (result == NULL) return;
  check(jt_duration_s(result) >= 0.25, "it lasted");
  check(jt_domain_count(result) == 1, "it has one domain");
  check(jt_domain_at(result, 0, &domain) == 0, "the domain can be read");
  check(strcmp(domain.name, "estimate:cpu") == 0, "it has a name");
  check(strcmp(domain.level, "package") == 0, "and a level");
  check(domain.provenance == JT_ESTIMATED, "an estimate is called one");
  check(domain.gross.joules > 0, "energy was used");
  check(isnan(domain.gross.high), "an estimate has no bounds");
  check(isnan(domain.above_idle.joules), "there is no baseline");
  check(jt_domain_at(result, 1, &domain) == -1, "there is no second domain");
  check(jt_total(result, &domain) == 0, "there is a total");
  check(strcmp(domain.name, "estimate:cpu") == 0, "which says what was summed");
  check(jt_gap_count(result) == 0, "there are no gaps");
  jt_free_result(result);
  check(jt_end(session, window) == NULL, "a window ends once");
}

int main(void) {
  jt_session* session = NULL;
  check_errors();
  session = jt_open("/", "sources=estimate;cpu_watts=20:95;interval_ms=10");
  check(session != NULL, "a session opens");
  if (session == NULL) return 1;
  check_window(session);
  check(jt_measure_baseline(session, 0) == -1, "a baseline takes time");
  jt_close(session);
  return failures == 0 ? 0 : 1;
}

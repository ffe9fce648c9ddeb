/* Energy meters for programs in any language. All functions may be called from any thread; text is
 * UTF-8. A function that fails returns null, 0 or -1, and jt_last_error() tells why. */
#ifndef JOULETREE_METER_H
#define JOULETREE_METER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef JT_METER_BUILD
#define JT_API __attribute__((visibility("default")))
#else
#define JT_API
#endif

/** Grows whenever something is added; nothing is ever removed. */
#define JT_METER_API 1

typedef struct jt_session jt_session;
typedef struct jt_result jt_result;

/** Opens all meters of this machine and starts sampling. Both texts may be null.
 * `root`: folder that holds the machine's sys and proc, "/" by default.
 * `settings`: "key=value" pairs separated by ';': interval_ms=10, sources=rapl,nvml,
 * cpu_watts=20:95, nvml_library=PATH. */
JT_API jt_session* jt_open(const char* root, const char* settings);
JT_API void jt_close(jt_session* session);

/** Opens a window and returns its number, 0 on failure. */
JT_API uint64_t jt_begin(jt_session* session, const char* name);
/** Ends a window and waits for its result. The caller frees it with jt_free_result(). */
JT_API jt_result* jt_end(jt_session* session, uint64_t window);
JT_API void jt_free_result(jt_result* result);

/** Measures the idle power for so many seconds; later results carry energy above it. 0 or -1. */
JT_API int jt_measure_baseline(jt_session* session, double seconds);

/** Joules and the bounds that the true value lies in. Unknown is NaN. */
typedef struct jt_energy {
  double joules;
  double low;
  double high;
} jt_energy;

typedef enum jt_provenance {
  JT_COUNTED = 0,
  JT_MEASURED = 1,
  JT_ESTIMATED = 2,
  JT_PREDICTED = 3
} jt_provenance;

/** One domain of a result, or its total. Texts live as long as the result. */
typedef struct jt_domain {
  const char* name;  /**< "rapl:package-0"; of the total the names of what was summed. */
  const char* level; /**< "package", "gpu" … */
  jt_provenance provenance;
  jt_energy gross;
  jt_energy above_idle;
  double average_watts;
  double peak_watts;
} jt_domain;

JT_API double jt_duration_s(const jt_result* result);
JT_API size_t jt_domain_count(const jt_result* result);
/** 0, or -1 if there is no such domain. */
JT_API int jt_domain_at(const jt_result* result, size_t index, jt_domain* out);
JT_API int jt_total(const jt_result* result, jt_domain* out);
/** Stretches of time in which a meter's energy is unknown. */
JT_API size_t jt_gap_count(const jt_result* result);

/** Why the last call of this thread failed; never null. */
JT_API const char* jt_last_error(void);

#ifdef __cplusplus
}
#endif

#endif

/** Limits the reports of a link: a token bucket, so that one noisy link does not starve the others. */
import { TokenBucket } from "@porchlight/shared/kernel";
import { REPORT_BURST, REPORT_RATE } from "@porchlight/shared/wire";

/** A full bucket. DP5, "Floods". @param now monotonic, ms */
export function reportBucket(now: number): TokenBucket {
  return new TokenBucket({ perSecond: REPORT_RATE, burst: REPORT_BURST }, now);
}

/** How many reports a link may make: a token bucket, so that one noisy link starves no other. */
import { TokenBucket } from "@porchlight/shared/kernel";
import { REPORT_BURST, REPORT_RATE } from "@porchlight/shared/wire";

/** Full. DP5, "Floods". @param now monotonic, ms */
export function reportBucket(now: number): TokenBucket {
  return new TokenBucket({ perSecond: REPORT_RATE, burst: REPORT_BURST }, now);
}

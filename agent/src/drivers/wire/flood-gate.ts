/** How many reports a link may make: a token bucket as a pure decision, so that one noisy link starves no other. */
import { REPORT_BURST, REPORT_RATE } from "@porchlight/shared/wire";

export interface FloodGate {
  readonly tokens: number;
  /** When the tokens were counted, monotonic ms. */
  readonly at: number;
}

export interface GateRules {
  /** A second, on average. */
  readonly rate: number;
  readonly burst: number;
}

/** D5, "Floods". */
const REPORT_RULES: GateRules = { rate: REPORT_RATE, burst: REPORT_BURST };

/** A gate that has been quiet for long. */
export function openGate(at: number, { burst }: GateRules = REPORT_RULES): FloodGate {
  return { tokens: burst, at };
}

/** The gate after one more; undefined when it is one too many. */
export function passGate(
  gate: FloodGate,
  at: number,
  { rate, burst }: GateRules = REPORT_RULES,
): FloodGate | undefined {
  const tokens = Math.min(burst, gate.tokens + ((at - gate.at) * rate) / 1000);
  return tokens < 1 ? undefined : { tokens: tokens - 1, at };
}

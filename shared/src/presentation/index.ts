/** Texts for people, the same on a page, in the console, in an e-mail and in an alert. Browsers import it too, so it has no schema. */
export { LOW_BATTERY_PERCENT } from "./battery.ts";
export { type Reason, reasonOf } from "./hub-reasons.ts";
export { LOG_KINDS, type LoggedEvent, type LogKind, type LogLine, logLines } from "./log-book.ts";
export type { Sender } from "./senders.ts";
export { browserOf } from "./senders.ts";
export { SERVICE_TIMES } from "./service-times.ts";
export { durationWords, spanOf, tookOf } from "./spans.ts";
export { freeName, type NamelessDevice, suggestedNames } from "./suggested-names.ts";
export { timeWords, withTimes } from "./times.ts";
export type { LogNames } from "./value-sentences.ts";
export { booleanWords, valueWords, withUnit } from "./values.ts";
export {
  type FrameTable,
  frameTables,
  hopRows,
  type WhyCommandFacts,
  type WhyFacts,
  type WhySentence,
  whySentences,
} from "./why-sentences.ts";

/** Documents state the times that the service keeps: each sentence is made of the times that the code uses. */
import { readFileSync } from "node:fs";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { expect, it } from "vitest";

const HOUR = 3_600_000;
const T = SERVICE_TIMES;
const words = durationWords;
const inDays = (ms: number) => `${ms / (24 * HOUR)} days`;
const inHours = (ms: number) => `${ms / HOUR} h`;

/** "0 s, 5 s, 5 min, 2 h". */
const short = (ms: number) => (ms < 60_000 ? `${ms / 1000} s` : ms < HOUR ? `${ms / 60_000} min` : `${ms / HOUR} h`);
/** "5 s, 5 min, 30 min, 2, 5 and 24 hours": hours are named once. */
function retries(): string {
  const later = T.webhookWaits.slice(1);
  const hours = later.filter((ms) => ms >= HOUR).map((ms) => ms / HOUR);
  return `${later
    .filter((ms) => ms < HOUR)
    .map(short)
    .join(", ")}, ${hours.slice(0, -1).join(", ")} and ${hours.at(-1)} hours`;
}
const inAll = Math.floor(T.webhookWaits.reduce<number>((sum, wait) => sum + wait, 0) / HOUR);

it.each<[string, string[]]>([
  [
    "docs/contract/api.md",
    [
      `Waits between attempts: ${T.webhookWaits.map(short).join(", ")} with jitter`,
      `An endpoint without a successful delivery for ${inDays(T.webhookGiveUp)} is disabled`,
      `both secrets sign for ${inHours(T.formerSecret)}. 2xx within ${short(T.webhookAnswer)} is success`,
      `nextAttemptAt?}\` are kept ${inDays(T.deliveriesKept)}`,
      `per principal, method and path, for ${inHours(T.idempotencyKey)}`,
      `after ${words(T.shortLogIn)}; never with \`keepMe`,
      `after ${inDays(T.accountsUserToken)} if an account created it`,
      `the request log: ${inDays(T.requestsKept)}`,
      `Commands are kept ${inDays(T.commandsKept)}`,
      `Ended alerts are kept for ${inDays(T.endedAlertsKept)}`,
      "At most one e-mail is sent in ten minutes",
    ],
  ],
  [
    "docs/api.md",
    [
      `is sent again after about ${retries()}: ten attempts in ${inAll} hours`,
      "five days. Your other consumers",
      `after ${words(T.shortLogIn)}; never with \`keepMe`,
      `after ${inDays(T.accountsUserToken)} if an account created it`,
      `A code to verify an address is valid for ${words(T.verifyCode)}, a code to set a password for ${words(T.resetCode)}`,
      `lists the last ${inDays(T.deliveriesKept)}`,
      `For ${words(T.idempotencyKey)} a repeat gets`,
      "the requests of the last seven days",
    ],
  ],
  ["docs/portal.md", [`Ended alerts stay for ${inDays(T.endedAlertsKept)}`]],
  ["docs/first-hour.md", [`expires after ${words(T.shortLogIn)}`]],
  ["docs/operations/data.md", [`idempotency key of the request | ${inDays(T.commandsKept)}, at most`]],
])("%s states the times that the code keeps", (document, sentences) => {
  const page = readFileSync(new URL(`../../${document}`, import.meta.url), "utf8");
  for (const sentence of sentences) expect(page).toContain(sentence);
});

it("a number in words is the number that the code has", () => {
  expect(words(T.betweenAlertEmails)).toBe("10 minutes");
  expect(words(T.webhookGiveUp)).toBe("5 days");
  expect(words(T.requestsKept)).toBe("7 days");
  expect(T.webhookWaits).toHaveLength(10);
});

/** The kinds of question that are asked of a hub: about its drivers, and about the hub itself. */
import {
  type DriverAnswer,
  type DriverQuestion,
  driverAnswer,
  driverQuestion,
  type MaintenanceAnswer,
  type MaintenanceQuestion,
  maintenanceAnswer,
  maintenanceQuestion,
} from "@porchlight/shared/model";
import type { QuestionKind } from "./hub-questions.ts";

/** How long a hub may take beyond what the question itself has it wait, ms. */
const ANSWER_MS = 10_000;
/** Somebody waits to be told why, and the rest of the answer is there. */
const JOURNAL_MS = 3_000;
/** A large history on a slow card. */
const BACKUP_MS = 60_000;

const WAITS: Readonly<Partial<Record<MaintenanceQuestion["ask"], number>>> = { backup: BACKUP_MS, journal: JOURNAL_MS };

const HARMLESS = "It is safe to repeat the request.";

export const ABOUT_DRIVERS: QuestionKind<DriverQuestion, DriverAnswer> = {
  method: "drivers",
  question: driverQuestion,
  answer: driverAnswer,
  waitMs: (question) => ANSWER_MS + ("waitMs" in question ? question.waitMs : 0),
  ask: (tunnel, question, limits) => tunnel.drivers(question, limits),
  unanswered: () => HARMLESS,
};

export const ABOUT_ITSELF: QuestionKind<MaintenanceQuestion, MaintenanceAnswer> = {
  method: "maintenance",
  question: maintenanceQuestion,
  answer: maintenanceAnswer,
  waitMs: ({ ask }) => WAITS[ask] ?? ANSWER_MS,
  ask: (tunnel, question, limits) => tunnel.maintenance(question, limits),
  unanswered: ({ ask }) => {
    if (ask === "restart") return "It may have restarted: check its `uptimeMs`.";
    if (ask === "backup") return "It may have created the backup: list its backups.";
    return HARMLESS;
  },
};

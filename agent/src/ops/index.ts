/** The front of operations on a running agent: status, health, logs, metrics, backup. */

export { BackupUnusable, completeBackup, restoreBackup, writeBackup } from "./backup.ts";
export type { Check } from "./checks.ts";
export { answersOf, type ReleaseSummary, releaseSummary } from "./control-answers.ts";
export { askAgent, readStatus, type Silence } from "./ask-agent.ts";
export { type Answers, ControlSocket } from "./control-socket.ts";
export { driverAnswersOf } from "./driver-answers.ts";
export { tokenAnswersOf } from "./token-answers.ts";
export { examine } from "./examine.ts";
export { LogFiles, LogReader } from "./log-files.ts";
export { isLevel, LEVELS, logLine } from "./log-text.ts";
export { BackupNotTaken, handBackup, takeBackup } from "./handed-backup.ts";
export { thisMachine } from "./hub-state.ts";
export { type AskMaintenance, type MaintainedHub, Maintenance } from "./maintenance.ts";
export { ServiceManager, systemdNotify } from "./service-manager.ts";
export { exitStatusOfHealth, problemsOf, warningsOf } from "./health.ts";
export { listenForMetrics, metricsText } from "./metrics.ts";
export { Progress } from "./progress.ts";
export type { AgentStatus, PairingSummary } from "./status-schema.ts";
export { deviceLines, foundLines, statusText, summaryLine, unpairedLines } from "./status-text.ts";

/** What operators see of a running agent: status, health, logs, metrics, backup. */
export { answersOf } from "./answers.ts";
export { askAgent, readStatus, type Silence } from "./ask-agent.ts";
export { BackupUnusable, completeBackup, restoreBackup, writeBackup } from "./backup.ts";
export type { Check, Verdict } from "./checks.ts";
export { type Answers, ControlSocket } from "./control-socket.ts";
export { examine } from "./examine.ts";
export { exitStatusOfHealth, problemsOf } from "./health.ts";
export { LogFiles } from "./log-files.ts";
export { LogReader } from "./log-reader.ts";
export { isLevel, LEVELS, logLine } from "./log-text.ts";
export { listenForMetrics, metricsText } from "./metrics.ts";
export { Progress } from "./progress.ts";
export { ServiceManager, systemdNotify } from "./service-manager.ts";
export type { AgentStatus, PairingSummary } from "./status-schema.ts";
export { deviceLines, statusText, summaryLine } from "./status-text.ts";
export { tokenAnswersOf } from "./token-answers.ts";

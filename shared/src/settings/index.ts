/** How every program takes its settings: one schema each, read from a file, the environment and flags. */

export { exitStatusOf } from "./exit-status.ts";
export { loadSettings, type SettingsSources } from "./load.ts";
export { closestKey } from "./names.ts";
export { isSecretSetting, type SettingFlag, setting, settingFlags } from "./notes.ts";
export { SettingsError, type SettingsProblem } from "./problem.ts";
export { hasPassword, Secret, secret, secretSetting } from "./secret.ts";
export { withSettingsTable } from "./table.ts";
export { sentence } from "./wording.ts";

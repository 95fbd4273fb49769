/** How every program loads its settings: one schema each, read from a file, the environment and flags. */

export { loadSettings, type SettingsSources, sentence } from "./load.ts";
export { closestKey, isSecretSetting, type SettingFlag, setting, settingFlags, withSettingsTable } from "./notes.ts";
export { hasPassword, Secret, secret, secretSetting } from "./secret.ts";
export { exitStatusOf, SettingsError, type SettingsProblem } from "./secret-files.ts";

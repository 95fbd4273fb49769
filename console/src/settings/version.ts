/** The console's version, from the one place where it stands. */
import manifest from "../../package.json" with { type: "json" };

export const CONSOLE_VERSION: string = manifest.version;

/** The console's version, read from its only source. */
import manifest from "../../package.json" with { type: "json" };

export const CONSOLE_VERSION: string = manifest.version;

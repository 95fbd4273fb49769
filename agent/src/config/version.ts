/** The agent's version, read from its manifest. */
import manifest from "../../package.json" with { type: "json" };

export const AGENT_VERSION: string = manifest.version;

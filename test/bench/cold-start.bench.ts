/** Ten thousand hubs come back to three nodes after a cold start of everything. */
import { coldStart, LONG, SHORT } from "./nodes/cold-start.ts";

await coldStart(3, [SHORT, LONG]);

/** Ten thousand hubs come back to one node that is alone after a cold start of everything; a file of its own beside that of several nodes, because each takes minutes. */
import { coldStart, LONG, SHORT } from "./nodes/cold-start.ts";

await coldStart(1, [SHORT, LONG]);

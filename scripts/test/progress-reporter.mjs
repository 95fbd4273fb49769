// A reporter for vitest: reports to the script that runs it how far it is, a line of JSON for each file that begins or ends. Its own file
// because vitest loads it in a process of its own.
import { createWriteStream } from "node:fs";
import { PROGRESS_FD } from "./progress.mjs";

export default class ProgressReporter {
  #to = createWriteStream("", { fd: PROGRESS_FD });
  #failed = 0;
  #passed = 0;

  onTestRunStart(specifications) {
    this.#report({ files: specifications.length });
  }

  onTestModuleStart({ relativeModuleId }) {
    this.#report({ began: relativeModuleId });
  }

  onTestCaseResult(testCase) {
    if (testCase.result().state === "passed") this.#passed += 1;
    else this.#failed += 1;
  }

  onTestModuleEnd({ relativeModuleId }) {
    this.#report({ ended: relativeModuleId, passed: this.#passed, failed: this.#failed });
  }

  #report(what) {
    this.#to.write(`${JSON.stringify(what)}\n`);
  }
}

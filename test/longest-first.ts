import { BaseSequencer, type TestSpecification } from "vitest/node";

/** So that no worker is left with a long file while the other has nothing to do. Those that kill services are short to read only. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const killing = ({ moduleId }: TestSpecification) => Number(/\/faults\/(kill|webhooks)\./.test(moduleId));
    return (await super.sort(files)).sort((a, b) => killing(b) - killing(a));
  }
}

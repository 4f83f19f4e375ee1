import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * So that no worker is left with a long file while the other has nothing to do. Those that kill services, or go through all
 * operations, are short to read only.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(/\/test\/(?:faults|http\/contract)\//.test(moduleId));
    return (await super.sort(files)).sort((a, b) => isLong(b) - isLong(a));
  }
}

/** The contract, read off the list of operations. */
export function openapi(): object {
  return {};
}

/** Makes a switch over a union fail to compile if a member is missing; throws if one slips through at run time. */
export const assertNever = (value: never): never => {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}

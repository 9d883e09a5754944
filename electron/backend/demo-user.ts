/** The user id of the demo profile. */
export const demoUserId = 'demo'

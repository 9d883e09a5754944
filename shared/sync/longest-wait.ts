/** The longest wait that the broker is granted, in milliseconds, and the one where it names none: asked sooner it says so again, and a mistake of its digits would else be weeks without a sync. */
export const longestWaitMs = 3_600_000

/** How a link among the facts of a trade looks. */
export const linkLooks = 'ml-2 font-medium whitespace-nowrap text-accent underline-offset-3 hover:underline'

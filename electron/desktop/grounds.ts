/** The ground of the page before there is a page: `--ground` of renderer/ui/tokens.css, which a test holds equal. */
export const grounds = { dark: '#0b0d10', light: '#f6f7f9' } as const

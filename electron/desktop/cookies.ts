import type { Session } from 'electron'

/** The window session's cookies for `origin`; works with the window closed. */
export const watchCookies = ({ cookies }: Session, origin: string): { readonly header: () => Promise<string>; readonly onChange: (hear: () => void) => void } => {
  const { hostname } = new URL(origin)
  return {
    header: async () => (await cookies.get({ url: origin })).map(({ name, value }) => `${name}=${value}`).join('; '),
    onChange: (hear) => {
      cookies.on('changed', (_event, { domain }) => {
        if (domain === hostname) hear()
      })
    },
  }
}

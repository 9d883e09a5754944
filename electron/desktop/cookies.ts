import type { Session } from 'electron'

/** The cookies of the app's window as the app at `origin` gets them, whether the window is open or not. */
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

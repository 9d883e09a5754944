/** What `giveConsent` has to know of the application and its user. */
type Consent = {
  readonly consentUrl: string
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string
  readonly login: string
  readonly decision: 'allow' | 'deny'
}

/** Decides on the stand-in's consent page as its user would in a browser, and gives the address that the browser is sent back to. */
export const giveConsent = async ({ consentUrl, clientId, redirectUri, state, login, decision }: Consent): Promise<URL> => {
  const answer = await fetch(consentUrl, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, state, login, decision }),
  })
  const back = answer.headers.get('location')
  if (answer.status !== 303 || back === null) throw new Error(`The consent page answered ${answer.status}`)
  return new URL(back)
}

/** Every place of the product, as a path inside the hash. */
export const paths = {
  home: '/',
  signIn: '/auth/signin',
  signUp: '/auth/signup',
  forgotPassword: '/auth/forgot-password',
  oauthCallback: '/oauth/callback',
  overview: '/dashboard',
  tradeLogbook: '/dashboard/TradeLogbook',
  autoSync: '/dashboard/AutoSync',
  reconciliation: '/dashboard/Reconciliation',
  import: '/dashboard/Import',
  settings: '/dashboard/Settings',
  notFound: '/404',
} as const

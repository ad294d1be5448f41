"""Who somebody is: guests, the short access token and the rotating refresh token."""

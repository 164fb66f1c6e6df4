"""A fact of one's health taken back for another: that what was said was not penicillin but cephalosporin."""

"""`goengine ctl doctor`: is all well with an installation?"""

"""Imposed sheets as PDF, through ReportLab."""
